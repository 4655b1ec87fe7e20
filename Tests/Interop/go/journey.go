package main

import "errors"

func runJourney(arguments []string) error { return errors.New("later") }
