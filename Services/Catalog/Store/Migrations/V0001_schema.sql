comment on schema catalog is 'Gyms, exercises, workouts and books; written by the service catalog alone.';
