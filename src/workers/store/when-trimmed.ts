const drops: (() => void)[] = []

/** Has `drop` called whenever this thread is to give back the memory that it has for later tasks. For modules that keep some for the thread. */
export function whenTrimmed(drop: () => void): void {
  drops.push(drop)
}

/** Drops what the modules of this thread keep for later tasks. To be called between two tasks. */
export function dropKept(): void {
  for (const drop of drops) drop()
}
