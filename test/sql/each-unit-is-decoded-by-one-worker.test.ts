import assert from 'node:assert/strict'
import t from 'tap'
import { CLAIM_WORDS, claimsIn, claimWords } from '../../src/plan/statement/claims.ts'
import type { AssistedUnit } from '../../src/plan/statement/statement.ts'
import { sharedUnits } from '../../src/workers/sql/feed/shared-units.ts'
import type { DecodedUnit } from '../../src/workers/state/decoded-units.ts'
import { fc } from '../support/generate.ts'
import { listedUnits } from '../support/listed-units.ts'

/** Who has decoded a unit, in this order. */
type Decoders = ('statement' | 'assistant')[]

/** A task of an assistant. */
interface Task {
  readonly unit: number
  /** Steps of the simulated clock until it begins, and from then on until its rows have arrived. */
  waits: number
  works: number
  state: 'queued' | 'at work'
}

interface Case {
  readonly units: number
  readonly ahead: number
  /** How long each task waits and works, in steps of 20 ms. Some take longer than a statement waits. */
  readonly delays: readonly { readonly waits: number; readonly works: number; readonly fails: boolean }[]
  /** How many steps the statement's worker takes to decode each unit. */
  readonly own: readonly number[]
  /** The number of units after which the statement ends. */
  readonly stopsAfter: number
}

const STEP_MS = 20

/** Runs the real `sharedUnits` with simulated assistants. The simulated clock advances while the worker waits or decodes. */
function run({ units: count, ahead, delays, own, stopsAfter }: Case) {
  const words = claimWords()
  const decoders: Decoders[] = Array.from({ length: count }, () => [])
  /** How long the statement had waited for a unit before it decoded it. Milliseconds. */
  const waitedFor = new Map<number, number>()
  let reachedAt = 0
  const tasks: Task[] = []
  const ready = new Map<number, AssistedUnit>()
  let now = 0
  let asked = 0
  let began = 0
  let decoded = 0

  /** Advances the assistants by one step. */
  function step(): void {
    now += STEP_MS
    for (const task of [...tasks]) {
      if (task.state === 'queued' && task.waits-- <= 0) {
        const isTaken = !claimsIn(words).take(task.unit, 'assistant')
        if (isTaken) tasks.splice(tasks.indexOf(task), 1)
        else {
          decoders[task.unit]?.push('assistant')
          task.state = 'at work'
        }
      } else if (task.state === 'at work' && task.works-- <= 0) {
        tasks.splice(tasks.indexOf(task), 1)
        const fails = delays[task.unit % delays.length]?.fails ?? false
        ready.set(task.unit, { scan: 0, unit: task.unit, parts: fails ? null : [] })
      }
    }
  }

  function ask(index: number): void {
    asked = Math.max(asked, index + 1)
    for (; asked < Math.min(count, index + 1 + ahead); asked++) {
      const { waits, works } = delays[began++ % delays.length] ?? { waits: 0, works: 0 }
      tasks.push({ unit: asked, waits, works, state: 'queued' })
    }
  }

  /** The units whose rows the statement has got, in this order. */
  const taken: number[] = []
  let current = 0
  const units = sharedUnits({
    units: listedUnits(
      Array.from({ length: count }, (_, segment) => ({
        kind: 'rows',
        file: 0,
        segment,
        from: 0,
        to: 1,
        decodedBytes: 1,
      })),
    ),
    claims: claimsIn(words),
    reached(index) {
      current = index
      reachedAt = now
      ask(index)
    },
    decode(unit) {
      const { segment } = unit as { segment: number }
      decoders[segment]?.push('statement')
      if (segment === current) waitedFor.set(segment, now - reachedAt)
      for (let steps = own[decoded++ % own.length] ?? 0; steps > 0; steps--) step()
      return { segment, rows: 1, span: null } as unknown as DecodedUnit
    },
    release() {},
    arrival(index, waitMs) {
      if (waitMs > 0) {
        if (!ready.has(index)) step()
      }
      const found = ready.get(index)
      ready.delete(index)
      return found
    },
    // One row, which tells its unit.
    *received() {
      yield { segment: current, rows: 1, span: null } as unknown as DecodedUnit
    },
    checkCancelled() {},
    now: () => now,
  })
  while (taken.length < stopsAfter) {
    const found = units.next() as { readonly segment: number } | null
    if (found === null) break
    taken.push(found.segment)
  }
  units.end()
  const before = decoders.flat().length
  // Tasks that are still queued find no unit to claim.
  for (let steps = 0; steps < 200; steps++) step()
  return { taken, decoders, waitedFor, late: decoders.flat().length - before }
}

const cases = fc.record({
  units: fc.oneof(
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: CLAIM_WORDS - 2, max: 3 * CLAIM_WORDS }),
  ),
  ahead: fc.constantFrom(0, 1, 2, 6, CLAIM_WORDS - 1),
  delays: fc.array(
    fc.record({
      waits: fc.oneof(fc.nat(3), fc.nat(120)),
      works: fc.oneof(fc.nat(3), fc.nat(120)),
      fails: fc.boolean(),
    }),
    { minLength: 1, maxLength: 20 },
  ),
  own: fc.array(fc.nat(4), { minLength: 1, maxLength: 10 }),
  stopsAfter: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(20)),
})

t.test('however workers come and go, a statement has each unit once and in order', async (t) => {
  let shared = 0
  let twice = 0
  const property = fc.property(cases, (each) => {
    const { taken, decoders, waitedFor, late } = run(each)
    const wanted = Math.min(each.units, each.stopsAfter)
    assert.deepEqual(
      taken,
      Array.from({ length: wanted }, (_, index) => index),
    )
    assert.equal(late, 0, 'no worker begins a unit of a scan that has ended')
    for (const [index, who] of decoders.entries()) {
      shared += Number(who.includes('assistant'))
      const failed = each.delays[index % each.delays.length]?.fails ?? false
      const mayBeTwice = failed || (waitedFor.get(index) ?? 0) > 1000
      if (who.length > 1) {
        twice++
        assert.deepEqual(who, ['assistant', 'statement'])
        assert.ok(mayBeTwice, `unit ${index} was decoded by ${who}`)
      }
      if (index < wanted) assert.ok(who.length > 0, `unit ${index} was not decoded`)
    }
  })
  fc.assert(property, { numRuns: 500 })
  t.ok(shared > 1000, 'assistants decode')
  t.ok(twice > 0, 'and some are too late')
})

t.test('a unit is taken once in its round, whichever workers try', async (t) => {
  const words = claimWords()
  const [one, other] = [claimsIn(words), claimsIn(words)]
  t.equal(one.take(3, 'statement'), true)
  t.equal(other.take(3, 'assistant'), false)
  t.equal(other.take(3 + CLAIM_WORDS, 'assistant'), false, 'the word is that of the unit before')
  one.pass(3)
  t.equal(other.take(3, 'assistant'), false, 'the statement has gone past it')
  t.equal(other.take(3 + CLAIM_WORDS, 'assistant'), true)
  t.equal(one.take(3 + CLAIM_WORDS, 'statement'), false)
  t.equal(one.isClosed, false)
  other.close()
  t.equal(one.isClosed, true)
  one.pass(4)
  t.equal(one.take(4 + CLAIM_WORDS, 'statement'), false, 'what is closed stays closed')
})
