import t from 'tap'
import { pathRightsOf } from '../../src/main/auth/rights/path-rights.ts'
import { fc } from '../support/generate.ts'
import { FILES, FOLDERS, globsOf, rulesOf } from './generated-paths.ts'
import { mayReadName, rightsOfRules } from './one-by-one.ts'
import { mayRead } from './one-decision.ts'

const rules = rulesOf([])
const globs = globsOf([])

const paths = fc
  .tuple(fc.array(fc.constantFrom(...FOLDERS), { maxLength: 3 }), fc.constantFrom(...FILES, ...FOLDERS))
  .map((names) => names.flat().join('/'))

const file = fc.record({ path: paths, target: paths })

t.test('any rules decide any files, in whatever order they come', async () => {
  fc.assert(
    fc.property(rules, fc.array(file, { maxLength: 40 }), (some, files) => {
      const rights = rightsOfRules(some)
      const decider = pathRightsOf(rights).decider()
      for (const each of files) {
        const { path, target } = each
        const told = JSON.stringify([some, each])
        if (decider.mayReadFile(path, target) !== mayReadName(rights, each)) throw new Error(told)
        const [own, behind] = [
          [path, `${path}/zarr.json`],
          [target, `${target}/zarr.json`],
        ]
        const folder = mayRead(rights, { kind: 'file', paths: own, targets: behind })
        if (decider.mayReadFolder(own, behind) !== folder) throw new Error(`folder ${told}`)
      }
    }),
    { numRuns: 3000 },
  )
})

t.test('what is decided of all below a path holds for each file below it', async () => {
  fc.assert(
    fc.property(rules, paths, fc.array(paths, { maxLength: 10 }), (some, base, below) => {
      const rights = rightsOfRules(some)
      const { isRefusedBelow, isGrantedBelow } = pathRightsOf(rights)
      const names = base.split('/')
      const [isRefused, isGranted] = [isRefusedBelow(names), isGrantedBelow(names)]
      for (const path of [base, ...below.map((each) => `${base}/${each}`)]) {
        const may = mayReadName(rights, { path, target: path })
        if (may && isRefused) throw new Error(`${path} may be read: ${JSON.stringify(some)}`)
        if (!may && isGranted) throw new Error(`${path} may not be read: ${JSON.stringify(some)}`)
      }
    }),
    { numRuns: 3000 },
  )
})

t.test('a glob as a rule, and a name of any characters', async () => {
  const character = fc.constantFrom('a', 'b', '*', '?', '[', ']', '!', '-', '.', '𝄞', 'é')
  const text = fc.array(character, { minLength: 1, maxLength: 8 }).map((each) => each.join(''))
  fc.assert(
    fc.property(text, text, globs, (glob, name, above) => {
      fc.pre(![glob, name].some((each) => each === '..' || each === '.'))
      for (const rule of [glob, `${above}/${glob}`, `${glob}/**/${glob}`])
        for (const path of [name, `a/${name}`, `${name}/${name}`]) {
          const rights = rightsOfRules([{ effect: 'grant', target: { kind: 'path', glob: rule } }])
          const quick = pathRightsOf(rights).decider().mayReadFile(path, path)
          if (quick !== mayReadName(rights, { path, target: path }))
            throw new Error(`${JSON.stringify(rule)} and ${JSON.stringify(path)}`)
        }
    }),
    { numRuns: 3000 },
  )
})
