/** The summary of the text of a run: for each file that has rows of it, in the order of the bytes. */
export type RunTexts = readonly RunText[]

export interface RunText {
  /** The index of the file in `ODV_FILES`. */
  readonly file: number
  /** How many chunks of the answer are bytes of it. */
  readonly chunks: number
  /** The bytes of the text, before they are packed, and their CRC-32. */
  readonly size: number
  readonly crc: number
}
