comment on schema tracking is 'Live positions, journeys, paths and chat; written by the service tracking alone.';
