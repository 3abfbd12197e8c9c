import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { nameMap } from '../../src/main/catalog/digests/name-map.ts'
import { fc } from '../support/generate.ts'

const anyName = fc.oneof(fc.constantFrom('a', 'b', 'é', ''), fc.string({ maxLength: 3 }))
const anyChanges = fc.array(fc.tuple(anyName, fc.option(fc.nat())), { maxLength: 5 })

t.test('each map has what a map of its own would have', async (t) => {
  fc.assert(
    fc.property(fc.array(anyChanges, { maxLength: 20 }), (steps) => {
      let shared = nameMap<number>()
      let own = new Map<string, number>()
      const all = [{ shared, own }]
      for (const changes of steps) {
        own = new Map(own)
        for (const [name, value] of changes)
          if (value === null) own.delete(name)
          else own.set(name, value)
        shared = shared.with(changes)
        all.push({ shared, own })
      }
      return all.every(
        ({ shared, own }) =>
          shared.size === own.size &&
          isDeepStrictEqual(new Map(shared.entries()), own) &&
          [...own].every(([name, value]) => shared.has(name) && shared.get(name) === value) &&
          !shared.has('not there'),
      )
    }),
  )
  t.pass()
})
