/** Receives the responses of a connection. */
export interface ResponseListener {
  /** Part of a body. The bytes are overwritten after the call. */
  body(bytes: Buffer): void
  end(status: number): void
}

const BLANK_LINE = Buffer.from('\r\n\r\n')
const LINE_END = Buffer.from('\r\n')

/**
 * Returns a function that takes the bytes of a connection and finds the bodies of its responses, by `content-length` or
 * chunked encoding. It throws for a response that has neither.
 */
export function createResponseReader(listener: ResponseListener): (bytes: Buffer) => void {
  let unreadBytes = Buffer.alloc(0)
  let status = 0
  /** Bytes left of the body, or of the chunk with its line end. */
  let remainingBytes = 0
  let state: 'head' | 'body' | 'size' | 'chunk' | 'trailer' = 'head'

  const end = (): void => {
    state = 'head'
    listener.end(status)
  }
  const head = (text: string): void => {
    status = Number(text.slice(9, 12))
    const [, length] = /^content-length: *(\d+)/im.exec(text) ?? []
    if (status === 304) end()
    else if (length !== undefined) {
      remainingBytes = Number(length)
      state = 'body'
      if (remainingBytes === 0) end()
    } else if (/^transfer-encoding: *chunked/im.test(text)) state = 'size'
    else throw new Error(`a response without length: ${text}`)
  }
  /** Reads the next part and returns the position after it. Null: the part is incomplete. */
  const step = (bytes: Buffer, at: number): number | null => {
    if (state === 'body' || state === 'chunk') {
      const part = Math.min(remainingBytes, bytes.length - at)
      const content = state === 'body' ? part : Math.min(part, Math.max(0, remainingBytes - LINE_END.length))
      if (content > 0) listener.body(bytes.subarray(at, at + content))
      remainingBytes -= part
      if (remainingBytes === 0 && state === 'body') end()
      else if (remainingBytes === 0) state = 'size'
      return at + part
    }
    const mark = state === 'head' ? BLANK_LINE : LINE_END
    const markIndex = bytes.indexOf(mark, at)
    if (markIndex === -1) return null
    const text = bytes.toString('latin1', at, markIndex)
    if (state === 'head') head(text)
    else if (state === 'trailer') end()
    else {
      const size = Number.parseInt(text, 16)
      remainingBytes = size + LINE_END.length
      state = size === 0 ? 'trailer' : 'chunk'
    }
    return markIndex + mark.length
  }

  return (bytes) => {
    const all = unreadBytes.length === 0 ? bytes : Buffer.concat([unreadBytes, bytes])
    let at = 0
    while (at < all.length) {
      const next = step(all, at)
      if (next === null) break
      at = next
    }
    unreadBytes = Buffer.from(all.subarray(at))
  }
}
