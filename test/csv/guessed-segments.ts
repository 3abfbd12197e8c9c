import { isServiceError } from '../../src/plan/errors.ts'
import type { Field } from '../../src/plan/types/schema.ts'
import type { OpenFile } from '../../src/workers/formats/provider.ts'
import { segmentsIn } from '../formats/segments.ts'
import type { memorySource } from '../formats/source.ts'
import { readSegment, type SegmentValues } from '../formats/values.ts'
import { context } from './read.ts'

/**
 * Whether each segment of a file has, from a guessed beginning, the rows that it has from the known one: or it is seen that the guess
 * was wrong. As main does: a segment whose beginning was guessed is right if it begins where the one before it ended.
 */
export function areGuessesSeenThrough(
  file: OpenFile,
  source: ReturnType<typeof memorySource>,
  fields: readonly Field[],
): boolean {
  let ended: number | null = null
  return segmentsIn(file).every((_, segment) => {
    const read = (begin: number | null): SegmentValues =>
      readSegment(file, source, { kind: 'text', segment, begin }, fields, context)
    const known = read(ended)
    const isChained = ended === null || known.span?.began === ended
    ended = known.span?.ended ?? null
    let guessed: SegmentValues
    try {
      guessed = read(null)
    } catch (error) {
      return isServiceError(error) && error.code === 'unreadable_file' && segment > 0
    }
    const isRight = guessed.span?.began === known.span?.began
    return isChained && (!isRight || JSON.stringify(guessed) === JSON.stringify(known))
  })
}
