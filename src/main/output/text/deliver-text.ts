import { payloadAs } from '../../../plan/task/part.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import type { Chunks, Delivered } from '../body.ts'
import type { Files, RowsDelivery } from '../deliver.ts'
import { holdBack } from './hold-back.ts'

/** The text around the rows of an answer. The core writes the rows. */
export interface TextForm {
  /** The text before the rows. Throws `not_supported` for columns that the format has no form for. */
  head(schema: Schema): string
  /** The bytes at the beginning of a row that separate it from the row before. */
  readonly separatorBytes: number
  /** The text after the rows. */
  readonly tail: string
}

/**
 * Returns a function that delivers answers in a text format. An answer that takes longer than `holdMs` is sent as it is made, from
 * its first rows on. An error that comes later breaks the connection, and the answer then has no tail.
 */
export function textDelivery(form: TextForm): (delivery: RowsDelivery, files: Files) => Promise<Delivered> {
  return async (delivery, { folder, holdMs, idleMs }) => {
    const head = Buffer.from(form.head(delivery.schema))
    const { figures, onIdle } = delivery
    figures.bytes += head.length
    const heldFor = Math.max(0, figures.startedAt + holdMs - performance.now())
    return holdBack(head, textOf(form, delivery), { folder, holdMs: heldFor, idleMs, onIdle })
  }
}

function textOf(form: TextForm, delivery: RowsDelivery): Chunks {
  const texts = textChunks(form, delivery)
  return {
    async next() {
      const { done, value } = await texts.next()
      return done ? null : value
    },
    close() {
      // Whoever closes the answer also stops the query, so this need not wait.
      delivery.parts.return().catch(() => {})
    },
  }
}

async function* textChunks(
  { separatorBytes, tail }: TextForm,
  { parts, figures, complete }: RowsDelivery,
): AsyncGenerator<Buffer, void> {
  let separator = separatorBytes
  for await (const part of parts) {
    const text = Buffer.from(payloadAs(part, 'text').bytes).subarray(separator)
    separator = 0
    figures.rows += part.rows
    figures.bytes += text.length
    const offeredAt = performance.now()
    yield text
    figures.clientMs += performance.now() - offeredAt
  }
  figures.bytes += tail.length
  await complete()
  if (tail !== '') yield Buffer.from(tail)
}
