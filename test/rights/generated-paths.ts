import type { Rule } from '../../src/main/auth/directory/directory.ts'
import { fc } from '../support/generate.ts'

/** Few names, so that rules, queries and files meet. Some begin with a dot, and two are those of partitions. */
export const FOLDERS = ['a', 'b', '.h', 'k=1', 'k=x'] as const
export const FILES = ['a.csv', 'b.csv', '.h.csv', 'ab.csv'] as const

const level = fc.constantFrom(
  ...FOLDERS,
  ...FILES,
  '*',
  '**',
  '?',
  '*.csv',
  '[ab]',
  'a*',
  '.*',
  'k=*',
  '[!a]*',
  'x',
)

/** The ends of paths, and what is between their names. Not all are written in their shortest form. */
const ends = fc.constantFrom('', '', '', '', '', '/', '/.')
const slashes = fc.constantFrom('/', '/', '/', '/', '//', '/./')

/** Paths and globs of any levels. */
const anyGlobs = fc
  .tuple(fc.array(level, { minLength: 1, maxLength: 4 }), ends, slashes)
  .map(([levels, end, slash]) => levels.join(slash) + end)

/** Ways to write a name of a path, or all names from there on. */
const WAYS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name,
  (name) => name,
  () => '*',
  (name) => `${name.slice(0, 1)}*`,
  (name) => `*${name.slice(-3)}`,
  (name) => `[${name.slice(0, 1)}]${name.slice(1)}`,
  (name) => `?${name.slice(1)}`,
  () => '**',
]

/** Paths that are there, and globs that match them. */
function globsOver(paths: readonly string[]): fc.Arbitrary<string> {
  const ways = fc.array(fc.nat({ max: WAYS.length - 1 }), { minLength: 4, maxLength: 4 })
  return fc
    .tuple(fc.constantFrom(...paths), ways, fc.nat({ max: 6 }), ends, slashes)
    .map(([path, chosen, cut, end, slash]) => {
      const names = path.split('/')
      // Sometimes a folder above, or everything below it.
      const kept = cut < 2 ? names.slice(0, Math.max(1, names.length - 1)) : names
      const levels = kept.map((name, depth) => WAYS[chosen[depth] ?? 0]?.(name) ?? name)
      return [...levels, ...(cut === 0 ? ['**'] : [])].join(slash) + end
    })
}

/** Paths and globs of rules and of queries: most lead to some of these paths. */
export function globsOf(paths: readonly string[]): fc.Arbitrary<string> {
  if (paths.length === 0) return anyGlobs
  return fc.oneof({ weight: 4, arbitrary: globsOver(paths) }, { weight: 1, arbitrary: anyGlobs })
}

export function rulesOf(paths: readonly string[]): fc.Arbitrary<readonly Rule[]> {
  const glob = globsOf(paths)
  const all = fc.constantFrom<Rule['target'][]>({ kind: 'all' }, { kind: 'path', glob: '**' })
  const target = glob.map((each): Rule['target'] => ({ kind: 'path', glob: each }))
  const table = fc.constant<Rule>({
    effect: 'deny',
    target: { kind: 'table', schema: 'public', name: 'a' },
  })
  const grant = fc.oneof({ weight: 1, arbitrary: all }, { weight: 4, arbitrary: target })
  return fc.array(
    fc.oneof(
      { weight: 5, arbitrary: grant.map((each): Rule => ({ effect: 'grant', target: each })) },
      { weight: 2, arbitrary: target.map((each): Rule => ({ effect: 'deny', target: each })) },
      { weight: 1, arbitrary: table },
    ),
    { maxLength: 5 },
  )
}
