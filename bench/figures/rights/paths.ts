import type { Rule } from '../../../src/main/auth/directory/directory.ts'
import type { Rights } from '../../../src/main/auth/rights/rights.ts'
import { hostFileSystem } from '../../../src/main/datasets/file-system/file-system.ts'
import { mayReadFound } from '../../../src/main/datasets/refusals/decide-found.ts'
import type { NamedDataset } from '../../../src/main/datasets/resolve.ts'
import { openDatasetRoot } from '../../../src/main/datasets/root.ts'
import { median } from '../../report/statistics.ts'
import type { Figure } from '../figure.ts'

const ROUNDS = 25
const FOLDERS = 1000
const FILES = 10_000
const RULES = 100

/** Rules of several forms, none of which refuses a file, so that all files are decided. */
const FORMS: readonly ((index: number) => string)[] = [
  (index) => `data/year=20${index % 10}*/platform-${index}*/secret-*`,
  (index) => `data/**/hidden-${index}*.nc`,
  (index) => `other/year=2001/platform-0${index}/**`,
  (index) => `data/*/platform-*${index}/x*.nc`,
]

/** The time in which 10 000 files in 1 000 folders are decided under 100 rules, and the longest turn of the event loop in it. */
export async function paths(folder: string): Promise<Figure[]> {
  const root = await openDatasetRoot(folder, { system: hostFileSystem })
  const files = Array.from({ length: FILES }, (_, index): NamedDataset => {
    const inFolder = Math.floor((index * FOLDERS) / FILES)
    const path = `data/year=${2000 + (inFolder % 10)}/platform-${inFolder}/profile-${index}.nc`
    return { path, location: `${root.location}/${path}` }
  })
  const times: number[] = []
  const turns: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // Each round has rights of its own, which are compiled in it.
    const rights = rightsOfRules(round)
    const { stop, longest } = watchTurns()
    const begin = performance.now()
    if (!(await mayReadFound({ files, others: [] }, rights, root)))
      throw new Error('A file was refused that a rule grants.')
    times.push(performance.now() - begin)
    stop()
    turns.push(longest())
  }
  return [
    { key: 'rights_paths', what: '10 000 files decided under 100 rules', value: median(times), unit: 'ms' },
    { key: 'rights_paths_turn', what: 'the longest turn meanwhile', value: median(turns), unit: 'ms' },
  ]
}

function rightsOfRules(round: number): Rights {
  const rules = Array.from({ length: RULES }, (_, index): Rule => {
    const glob = index === 0 ? 'data/**' : (FORMS[index % FORMS.length]?.(index) ?? '')
    return { effect: index % 3 === 0 ? 'grant' : 'deny', target: { kind: 'path', glob } }
  })
  return Object.freeze({ isEverything: false, rules, digest: String(round) })
}

/** Measures the turns of the event loop until it is stopped. */
function watchTurns(): { stop(): void; longest(): number } {
  let last = performance.now()
  let longest = 0
  let isOver = false
  const see = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(see)
  }
  setImmediate(see)
  return {
    stop() {
      see()
      isOver = true
    },
    longest: () => longest,
  }
}
