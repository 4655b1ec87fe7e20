comment on schema matching is 'Training sessions, check-ins, bars and feedback; written by the service matching alone.';
