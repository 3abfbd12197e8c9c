/** A signal as a thread gets it that reads no messages while it works: a word of shared memory, which is 1 once the signal is aborted. */
interface SharedSignal {
  readonly word: SharedArrayBuffer
  /** Stops listening to the signal. */
  release(): void
}

export function shareSignal(signal: AbortSignal): SharedSignal {
  const word = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const abort = (): void => void Atomics.store(new Int32Array(word), 0, 1)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return { word, release: () => signal.removeEventListener('abort', abort) }
}

/** The signal in the thread. Whoever works asks it by `throwIfAborted`. */
export function signalOfWord(word: SharedArrayBuffer): AbortSignal {
  const isAborted = new Int32Array(word)
  const controller = new AbortController()
  const { signal } = controller
  const check = (): void => {
    if (Atomics.load(isAborted, 0) !== 0) controller.abort()
    AbortSignal.prototype.throwIfAborted.call(signal)
  }
  return Object.defineProperty(signal, 'throwIfAborted', { value: check })
}
