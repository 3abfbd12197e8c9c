import type { Test } from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import type { Field, Schema } from '../../src/plan/types/schema.ts'
import type { OpenFile } from '../../src/workers/formats/provider.ts'
import type { Value } from './values.ts'

export interface CutFile {
  /**
   * A copy of a text format that is cut short is not always an error but may have the rows before the cut.
   */
  readonly isText: boolean
  /** The whole file, and its rows column by column. */
  readonly file: OpenFile
  readonly columns: readonly (readonly Value[])[]
  /** Opens a copy that is called `cut-short`. */
  read(cut: (bytes: Uint8Array) => Uint8Array): Promise<CutCopy>
}

interface CutCopy {
  readonly schema: Schema
  readAll(fields?: readonly Field[]): Value[][]
}

/** Shares of a file that are left. The last one lacks a byte. */
const SHARES = Object.freeze([...Array.from({ length: 24 }, (_, i) => i / 24), 1])

/** What a copy of a file that is cut short gives. */
export async function cutsConform(t: Test, { isText, file, columns, read }: CutFile): Promise<void> {
  const cutAt =
    (share: number) =>
    (bytes: Uint8Array): Uint8Array =>
      bytes.subarray(0, Math.min(bytes.length - 1, Math.floor(bytes.length * share)))
  const names = file.schema.fields.map(({ name }) => name)
  if (isText)
    await t.test(
      'a copy that is cut short has the rows before the cut, or is an error that names it',
      async (t) => {
        for (const share of SHARES) {
          try {
            const cut = await read(cutAt(share))
            const isSame = cut.schema.fields.map(({ name }) => name).join() === names.join()
            if (!isSame) continue
            const whole = cut.readAll(file.schema.fields)
            // The last row may be cut short, so its values may differ.
            const before = whole.map((values) => values.slice(0, -1))
            t.strictSame(
              before,
              columns.map((values, i) => values.slice(0, before[i]?.length)),
            )
          } catch (error) {
            if (!isServiceError(error)) throw error
            t.match(error, { code: 'unreadable_file', message: /cut-short/ })
          }
        }
      },
    )
  else
    await t.test('a copy that is cut short is an error that names it', async (t) => {
      for (const share of SHARES) {
        const reading = async (): Promise<unknown> => (await read(cutAt(share))).readAll()
        await t.rejects(reading, { code: 'unreadable_file', message: /cut-short/ })
      }
    })
}
