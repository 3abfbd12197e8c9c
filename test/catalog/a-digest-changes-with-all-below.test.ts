import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { type DigestParts, digestsAfter, NO_DIGESTS } from '../../src/main/catalog/digests/digests.ts'
import { fc } from '../support/generate.ts'

type Definitions = ReadonlyMap<string, DigestParts>

const NAMES = ['a', 'b', 'c', 'd', 'e']
const anyName = fc.constantFrom(...NAMES)
/** A definition of a name, or null where it is dropped. */
const anyChange = fc.tuple(
  anyName,
  fc.option(
    fc.record({
      definitionDigest: fc.constantFrom('1', '2', '3'),
      below: fc.array(anyName, { maxLength: 3 }),
    }),
  ),
)

/** All that a name means: its definition, and those of all names below it. */
function meaning(name: string, all: Definitions): string {
  const reached = new Set([name])
  for (const each of reached) for (const below of all.get(each)?.below ?? []) reached.add(below)
  return JSON.stringify([...reached].toSorted().map((each) => [each, all.get(each) ?? null]))
}

function isInCircle(name: string, all: Definitions): boolean {
  const reached = new Set(all.get(name)?.below)
  for (const each of reached) for (const below of all.get(each)?.below ?? []) reached.add(below)
  return [...reached].some((each) => each === name || isReachedFrom(each, each, all))
}

function isReachedFrom(name: string, from: string, all: Definitions): boolean {
  const reached = new Set(all.get(from)?.below)
  for (const each of reached) for (const below of all.get(each)?.below ?? []) reached.add(below)
  return reached.has(name)
}

t.test('a digest changes exactly when what its name means does', async (t) => {
  fc.assert(
    fc.property(fc.array(anyChange, { minLength: 1, maxLength: 20 }), (changes) => {
      let all: Definitions = new Map()
      let digests = NO_DIGESTS
      for (const [name, parts] of changes) {
        const next = new Map(all)
        if (parts === null) next.delete(name)
        else next.set(name, parts)
        const after = digestsAfter(digests, new Map([[name, parts]]))
        for (const each of NAMES) {
          const isSame = meaning(each, all) === meaning(each, next)
          const isKept = digests.digests.get(each) === after.digests.get(each)
          if (isSame && !isKept && !isInCircle(each, next)) return false
          if (!isSame && isKept && (next.has(each) || all.has(each))) return false
        }
        if ([...next.keys()].some((each) => !after.digests.has(each)) || after.digests.size !== next.size)
          return false
        all = next
        digests = after
      }
      // What is made step by step is what is made at once. Digests of circles depend on the steps.
      if (NAMES.some((name) => isInCircle(name, all))) return true
      const atOnce = digestsAfter(NO_DIGESTS, all)
      return isDeepStrictEqual(new Map(digests.digests.entries()), new Map(atOnce.digests.entries()))
    }),
  )
  t.pass()
})

t.test('a chain of 10 000 views is no deep recursion', async (t) => {
  const chain = (definitionDigest: string): Definitions =>
    new Map(
      Array.from({ length: 10_000 }, (_, index) => [
        `v${index}`,
        index === 0
          ? { definitionDigest, below: [] }
          : { definitionDigest: 'view', below: [`v${index - 1}`] },
      ]),
    )
  const changed = (definitionDigest: string): Definitions =>
    new Map([['v0', { definitionDigest, below: [] }]])
  const one = digestsAfter(NO_DIGESTS, chain('one'))
  const two = digestsAfter(one, changed('two'))
  t.not(one.digests.get('v9999'), two.digests.get('v9999'))
  t.equal(digestsAfter(two, changed('one')).digests.get('v9999'), one.digests.get('v9999'))
})
