/** The bytes of a file, or of a part of one, that a client sends. */
export interface IncomingFile {
  /** How many there are, as the client says. Null: it does not. */
  readonly announcedBytes: number | null
  /** What their SHA-256 has to be. Null: the client does not say. */
  readonly sha256: Buffer | null
  /** Has the client send the bytes, and gives them in batches of 256 KiB to 1 MiB. Ends with an error if they do not arrive whole. */
  batches(): AsyncIterable<readonly Buffer[]>
}
