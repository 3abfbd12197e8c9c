import t from 'tap'
import { createWaitingRuns } from '../../../src/main/output/files/odv/waiting-runs.ts'
import { createTempFolder } from '../../../src/main/output/temp/temp-folder.ts'
import { type Part, payloadAs } from '../../../src/plan/task/part.ts'
import { fc } from '../../support/generate.ts'

/** Pushes runs of parts of so many bytes (a list), and shifts one (null). */
const steps = fc.array(
  fc.option(fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 3 }), { freq: 2 }),
  { maxLength: 30 },
)

t.test('runs come as they went, from memory and from the file', async (t) => {
  const folder = createTempFolder(t.testdir({}), {
    outputBytes: 1 << 20,
    totalBytes: 1 << 20,
    reservedBytes: 0,
  })
  const property = fc.asyncProperty(steps, async (all) => {
    const waiting = createWaitingRuns(folder, 64)
    const expected: string[][] = []
    let next = 0
    for (const step of all) {
      if (step !== null) {
        const parts = step.map((bytes) => partOf(Buffer.alloc(bytes, next++)))
        expected.push(parts.map(textOf))
        await waiting.push(parts)
      } else if (expected.length > 0) {
        t.same((await waiting.shift()).map(textOf), expected.shift())
      }
    }
    while (waiting.length > 0) t.same((await waiting.shift()).map(textOf), expected.shift())
    await t.rejects(waiting.shift(), RangeError)
    await waiting.close()
    t.same([expected.length, folder.bytes], [0, 0])
  })
  await t.resolves(fc.assert(property, { numRuns: 40 }))
})

function partOf(bytes: Buffer): Part {
  const copy = new Uint8Array(bytes).buffer
  return { rows: 1, from: 0, payload: { kind: 'arrow', bytes: copy, metadataBytes: 0, dictionaries: [] } }
}

function textOf(part: Part): string {
  return Buffer.from(payloadAs(part, 'arrow').bytes).toString('hex')
}
