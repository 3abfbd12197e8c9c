import assert from 'node:assert'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import type { Ticket } from '../../src/main/dispatch/ticket.ts'
import { orderedScan } from '../../src/main/query/run/rows/ordered-scan.ts'
import { isGuess, type Span } from '../../src/plan/source/text.ts'
import type { Unit } from '../../src/plan/source/unit.ts'
import { ROWS } from '../../src/plan/task/fragment.ts'
import { payloadAs } from '../../src/plan/task/part.ts'
import type { ScanTask } from '../../src/plan/task/task.ts'
import { PARQUET } from '../formats/product.ts'
import { fc } from '../support/generate.ts'
import { NO_METRICS } from './tasks.ts'

/**
 * A pool over units whose rows are numbers: row r of unit u passes when `passes[u][r]`. Encodes each passing row as its
 * number, at most `batch` rows a part and two parts an answer, and answers after a random delay.
 */
function ticketOver(
  passes: readonly (readonly boolean[])[],
  batch: number,
  delays: () => number,
  guess: (segment: number) => Span | null = () => null,
): Ticket {
  return {
    cancel: new SharedArrayBuffer(4),
    objects: { areWanted: true },
    caching: true,
    isQuick: () => false,
    runStatement: () => Promise.reject(new Error('no statement is run here')),
    stop: () => {},
    release: () => {},
    whenReleased: () => {},
    forOthersToo: () => {
      throw new TypeError('no task is shared here')
    },
    waitFor: (shared) => shared,
    async run(task) {
      const { unit, resume, skip, take } = task as ScanTask
      if (unit.kind === 'box') throw new TypeError('only segments here')
      // Time itself: how long the task takes.
      await setTimeout(delays())
      const span = isGuess(unit) ? guess(unit.segment) : spanOf(unit.segment)
      // Where the guess of `begin` is wrong, every row passes.
      const isWrong = span !== null && span.began !== spanOf(unit.segment).began
      const rows = (passes[unit.segment] ?? []).map((pass) => pass || isWrong)
      if (span === null)
        return {
          answer: { kind: 'rows', parts: [], skipped: 0, resume: null, metrics: NO_METRICS } as never,
          worker: 0,
          queueMs: 0,
        }
      const parts = []
      let skipped = 0
      let left = take
      let row = resume
      for (; row < rows.length && skipped < skip; row++) if (rows[row]) skipped++
      while (row < rows.length && left > 0 && parts.length < 2) {
        const from = row
        const found: number[] = []
        for (; row < rows.length && found.length < Math.min(batch, left); row++) {
          if (rows[row]) found.push(unit.segment * 1000 + row)
        }
        left -= found.length
        if (found.length > 0) {
          parts.push({
            rows: found.length,
            from,
            payload: { kind: 'text', bytes: Float64Array.from(found).buffer },
          })
        }
      }
      const done = row >= rows.length || left === 0
      const answer = { kind: 'rows', parts, span, skipped, resume: done ? null : row, metrics: NO_METRICS }
      return { answer: answer as never, worker: 0, queueMs: 0 }
    },
  }
}

/** Units of a text file that ends where the next begins. */
function spanOf(segment: number): Span {
  return { began: segment * 100, ended: (segment + 1) * 100 }
}

t.test('any offset and limit give the rows that one worker reading in order gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.boolean(), { maxLength: 12 }), { maxLength: 8 }),
      fc.nat(40),
      fc.option(fc.nat(40), { nil: Number.POSITIVE_INFINITY }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 3 }),
      fc.infiniteStream(fc.integer({ min: 0, max: 2 })),
      fc.boolean(),
      fc.array(fc.constantFrom('right', 'wrong', 'nowhere'), { minLength: 8, maxLength: 8 }),
      async (passes, offset, limit, batch, workers, delays, isText, guesses) => {
        const expected = passes
          .flatMap((rows, unit) => rows.flatMap((pass, row) => (pass ? [unit * 1000 + row] : [])))
          .slice(offset, offset + limit)
        const version = { device: 0n, inode: 0n, size: 0n, mtimeNs: 0n, ctimeNs: 0n }
        const scan = { format: PARQUET, columns: [], filter: null, projection: [] } as const
        const found: number[] = []
        const parts = orderedScan({
          id: 'q',
          files: [{ path: 'a', location: '/a', version }],
          requestOf: () => ({ scan, fragment: ROWS, more: [] }),
          units: {
            count: passes.length,
            at: (segment): Unit =>
              isText
                ? { kind: 'text', file: 0, segment, begin: null, decodedBytes: 1 }
                : {
                    kind: 'rows',
                    file: 0,
                    segment,
                    from: 0,
                    to: passes[segment]?.length ?? 0,
                    decodedBytes: 1,
                  },
          },
          skip: offset,
          limit,
          encoding: 'arrow',
          ticket: ticketOver(
            passes,
            batch,
            () => delays.next().value ?? 0,
            (segment) => {
              const guess = guesses[segment]
              if (guess === 'nowhere') return null
              return guess === 'right'
                ? spanOf(segment)
                : { began: segment * 100 + 7, ended: segment * 100 + 8 }
            },
          ),
          workers,
          readAheadBytes: () => 16 << 20,
          onAnswer: () => {},
        })
        for await (const part of parts) found.push(...new Float64Array(payloadAs(part, 'text').bytes))
        assert.deepStrictEqual(found, expected)
      },
    ),
    { numRuns: 300 },
  )
})
