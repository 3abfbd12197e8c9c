import assert from 'node:assert'
import fc from 'fast-check'
import t from 'tap'
import type { Ticket } from '../../src/main/dispatch/scheduler.ts'
import { orderedScan } from '../../src/main/query/ordered-scan.ts'
import type { Plan } from '../../src/plan/plan.ts'
import type { ScanTask } from '../../src/plan/task.ts'
import { NO_METRICS } from './tasks.ts'

/**
 * A pool over units whose rows are numbers: row r of unit u passes when `passes[u][r]`. Encodes each passing row as its
 * number, at most `batch` rows a part and two parts an answer, and answers after a random delay.
 */
function ticketOver(passes: readonly (readonly boolean[])[], batch: number, delays: () => number): Ticket {
  return {
    cancel: new SharedArrayBuffer(4),
    stop: () => {},
    leave: () => {},
    async run(task) {
      const { unit, resume, skip, take } = task as ScanTask
      await new Promise((resolve) => setTimeout(resolve, delays()))
      const rows = passes[unit.segment] ?? []
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
          parts.push({ bytes: Float64Array.from(found).buffer, rows: found.length, from, metadataBytes: 0 })
        }
      }
      const done = row >= rows.length || left === 0
      const answer = { kind: 'rows', parts, skipped, resume: done ? null : row, metrics: NO_METRICS }
      return { answer: answer as never, worker: 0, queueMs: 0 }
    },
  }
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
      async (passes, offset, limit, batch, workers, delays) => {
        const expected = passes
          .flatMap((rows, unit) => rows.flatMap((pass, row) => (pass ? [unit * 1000 + row] : [])))
          .slice(offset, offset + limit)
        const version = { device: 0n, inode: 0n, size: 0n, mtimeNs: 0n, ctimeNs: 0n }
        const plan: Plan = {
          scan: { format: { kind: 'parquet' }, columns: [], filter: null, projection: [] },
          relation: 't',
          files: [{ path: 'a', location: '/a', version }],
          output: { fields: [], metadata: {} },
          offset,
          limit,
        }
        const found: number[] = []
        const parts = orderedScan({
          id: 'q',
          plan,
          units: passes.map((rows, segment) => ({
            file: 0,
            segment,
            from: 0,
            to: rows.length,
            decodedBytes: 1,
          })),
          skip: offset,
          encoding: 'arrow',
          ticket: ticketOver(passes, batch, () => delays.next().value ?? 0),
          workers,
          readAheadBytes: () => 16 << 20,
          onAnswer: () => {},
        })
        for await (const part of parts) found.push(...new Float64Array(part.bytes))
        assert.deepStrictEqual(found, expected)
      },
    ),
    { numRuns: 150 },
  )
})
