#pragma once

/// Prepares for ``tandem_stack_of_thread``: takes a signal for itself, and loads what unwinding needs while memory may still be allocated.
/// Returns 0 when that is done.
int tandem_stacks_prepare(void);

/// Has the calling thread answer. Threads of Dispatch block all signals, and so do threads that were begun by one of them.
void tandem_stacks_allow(void);

/// Has a thread of this process write down where it is: the return addresses of its calls, the innermost first.
///
/// One caller at a time. Async-signal-safe in the thread that is asked, so it may be stopped anywhere, inside the allocator too.
///
/// - thread: its id in the kernel, as in /proc/self/task.
/// - frames, capacity: where the addresses go, and how many fit.
/// - timeout_ms: how long to wait for the thread.
/// Returns how many were written; 0 when the thread has gone, blocks signals, or did not answer in time.
int tandem_stack_of_thread(int thread, void *_Nullable *_Nonnull frames, int capacity, int timeout_ms);

/// The calling thread's id in the kernel.
int tandem_own_thread(void);

/// Names the calling thread for tools that list threads; 15 characters at most.
void tandem_name_own_thread(const char *_Nonnull name);

/// Writes where an address of code lies, as `program(symbol+0x1a2b)`: the offset is into the symbol where one is known, else into the program.
void tandem_describe_address(const void *_Nonnull address, char *_Nonnull text, int capacity);
