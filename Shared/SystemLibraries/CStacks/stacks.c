#define _GNU_SOURCE
#include "CStacks.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { most_frames = 128 };

static void *found[most_frames];
static atomic_int asked_thread;
static atomic_int found_count;
static sem_t answered;

static void write_down(int signal) {
  (void)signal;
  int error = errno;
  // One that answers after its time was up is nobody's any more.
  if (atomic_load(&asked_thread) == (int)syscall(SYS_gettid)) {
    atomic_store(&found_count, backtrace(found, most_frames));
    sem_post(&answered);
  }
  errno = error;
}

// The kernel lets nobody else use it, and the last of them is the least likely to be somebody's.
static int stack_signal(void) { return SIGRTMAX - 1; }

int tandem_stacks_prepare(void) {
  void *first[1];
  // The first call loads the unwinder, which allocates.
  backtrace(first, 1);
  if (sem_init(&answered, 0, 0) != 0) return -1;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = write_down;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  return sigaction(stack_signal(), &action, NULL);
}

void tandem_stacks_allow(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, stack_signal());
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

int tandem_stack_of_thread(int thread, void **frames, int capacity, int timeout_ms) {
  while (sem_trywait(&answered) == 0) {
  }
  atomic_store(&found_count, 0);
  atomic_store(&asked_thread, thread);
  if (syscall(SYS_tgkill, (int)getpid(), thread, stack_signal()) != 0) {
    atomic_store(&asked_thread, 0);
    return 0;
  }
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += timeout_ms / 1000;
  end.tv_nsec += (long)(timeout_ms % 1000) * 1000000;
  if (end.tv_nsec >= 1000000000) {
    end.tv_sec += 1;
    end.tv_nsec -= 1000000000;
  }
  int status;
  do {
    status = sem_timedwait(&answered, &end);
  } while (status != 0 && errno == EINTR);
  atomic_store(&asked_thread, 0);
  if (status != 0) return 0;
  int count = atomic_load(&found_count);
  if (count > capacity) count = capacity;
  memcpy(frames, found, (size_t)count * sizeof(void *));
  return count;
}

int tandem_own_thread(void) { return (int)syscall(SYS_gettid); }

void tandem_name_own_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

void tandem_describe_address(const void *address, char *text, int capacity) {
  Dl_info found;
  if (dladdr(address, &found) == 0 || found.dli_fname == NULL) {
    snprintf(text, (size_t)capacity, "%p", address);
    return;
  }
  const char *slash = strrchr(found.dli_fname, '/');
  const char *program = slash ? slash + 1 : found.dli_fname;
  const void *base = found.dli_sname ? found.dli_saddr : found.dli_fbase;
  snprintf(
      text, (size_t)capacity, "%s(%s+0x%lx)", program, found.dli_sname ? found.dli_sname : "",
      (unsigned long)((const char *)address - (const char *)base));
}
