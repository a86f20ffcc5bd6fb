// Preloaded (`node --import`) into the processes that the start script owns. Their standard input is a pipe from the
// parent and carries nothing; it closes when the parent dies, even by SIGKILL, and then this process ends too.
import { isMainThread } from 'node:worker_threads';

// What this process starts inherits its flags, but is not meant.
const isMeant = isMainThread && process.ppid === Number(process.env.EXIT_WITH_PARENT);

if (isMeant) {
  const graceMs = Number(process.env.EXIT_WITH_PARENT_GRACE_MS ?? 0);
  const end = () => {
    if (graceMs > 0) process.kill(process.pid, 'SIGTERM');
    setTimeout(() => {
      // The parent made this process the leader of a group, so its workers go with it.
      process.kill(-process.pid, 'SIGKILL');
    }, graceMs);
  };
  process.stdin.on('end', end).on('error', end).resume();
  process.stdin.unref?.();
}
