#pragma once
// What Swift cannot call by itself: a variadic function, and a signal handler, which may call almost nothing.
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

static int tandem_signal_descriptor = -1;

static void tandem_note_signal(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  // A full pipe has enough to wake up the reader.
  if (write(tandem_signal_descriptor, &byte, 1) < 0) errno = 0;
  errno = saved;
}

// From now on each of the signals is a byte of its number in the descriptor, which must not block.
static inline int tandem_write_signals(int descriptor, const int *numbers, int count) {
  tandem_signal_descriptor = descriptor;
  struct sigaction action = {0};
  action.sa_handler = tandem_note_signal;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  for (int index = 0; index < count; index++)
    if (sigaction(numbers[index], &action, NULL) != 0) return -1;
  return 0;
}

// The calling process gets the signal as soon as the thread that started it is gone.
static inline int tandem_die_with_parent(int number) {
  return prctl(PR_SET_PDEATHSIG, (unsigned long)number, 0UL, 0UL, 0UL);
}
