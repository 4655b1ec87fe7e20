comment on schema importer is 'Tracker connections, imports and activities; written by the service importer alone.';
