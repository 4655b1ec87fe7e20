// Tells ThreadSanitizer of the locks that it cannot see, to be preloaded into a program that runs under it.
//
// Swift's Mutex waits in the kernel when somebody else has it (futex with priority inheritance), and the kernel hands it over: without
// this, everything that a contended Mutex guards would be reported as a race.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define CONTEXT __attribute__((swift_context))
#define SWIFT __attribute__((swiftcall))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

static void *next(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

SWIFT void lock_slow(uint32_t thread, CONTEXT void *mutex) __asm__(LOCK);
SWIFT void lock_slow(uint32_t thread, CONTEXT void *mutex) {
  ((SWIFT void (*)(uint32_t, CONTEXT void *))next(LOCK))(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT _Bool try_lock_slow(CONTEXT void *mutex) __asm__(TRY_LOCK);
SWIFT _Bool try_lock_slow(CONTEXT void *mutex) {
  _Bool locked = ((SWIFT _Bool (*)(CONTEXT void *))next(TRY_LOCK))(mutex);
  if (locked && __tsan_acquire) __tsan_acquire(mutex);
  return locked;
}

SWIFT void unlock_slow(CONTEXT void *mutex) __asm__(UNLOCK);
SWIFT void unlock_slow(CONTEXT void *mutex) {
  if (__tsan_release) __tsan_release(mutex);
  ((SWIFT void (*)(CONTEXT void *))next(UNLOCK))(mutex);
}
