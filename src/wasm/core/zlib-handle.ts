/** What Node has below a stream of its zlib. It is not documented, but other programs, such as npm, rely on it. */
interface Handle {
  onerror: (message: string) => void
  writeSync(
    flush: number,
    input: Uint8Array,
    inputAt: number,
    inputLength: number,
    output: Uint8Array,
    outputAt: number,
    outputLength: number,
  ): void
  reset(): void
}

export interface ZlibHandle {
  readonly handle: Handle
  /** The bytes of output that were not filled, and those of input that were not read. */
  readonly left: Uint32Array
  hasFailed: boolean
}

/** The handle of a stream, which is then used without the stream. Null: this Node has none. */
export function zlibHandle(stream: object): ZlibHandle | null {
  const handle: unknown = Reflect.get(stream, '_handle')
  const left: unknown = Reflect.get(stream, '_writeState')
  if (!isHandle(handle) || !(left instanceof Uint32Array) || left.length !== 2) return null
  const context: ZlibHandle = { handle, left, hasFailed: false }
  handle.onerror = () => {
    context.hasFailed = true
  }
  return context
}

function isHandle(value: unknown): value is Handle {
  if (typeof value !== 'object' || value === null) return false
  return ['writeSync', 'reset', 'onerror'].every((name) => typeof Reflect.get(value, name) === 'function')
}
