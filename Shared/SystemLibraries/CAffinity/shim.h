#pragma once
// For sched_getaffinity.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>
