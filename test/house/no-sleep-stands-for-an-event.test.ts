import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../..')

/** A wait for a time to pass. A timer that does nothing only keeps its process alive. */
const SLEEP =
  /\b(?:setTimeout|setInterval|sleep|AbortSignal\.timeout)\((?!\(\) => \{\},)|\bAtomics\.wait\((?:[^,]+,){3}/

/** Says in a comment right before it what the time is, if it is what the test is about: how slow a worker is, when a client leaves. */
const MARK = /^\s*\/\/ Time itself: \S/

/** Lines with a sleep that is not marked; an import under another name counts as one. */
function unmarked(text: string): number[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    if (/\bset(?:Timeout|Interval) as\b/.test(line)) return [at + 1]
    if (!SLEEP.test(line)) return []
    let above = at - 1
    while (/^\s*\/\//.test(lines[above] ?? '') && !MARK.test(lines[above] ?? '')) above--
    return MARK.test(lines[above] ?? '') ? [] : [at + 1]
  })
}

t.test('tests wait for events, or until a condition holds', async (t) => {
  for (const file of globSync('test/**/*.ts', { cwd: ROOT, exclude: ['**/node_modules/**'] })) {
    if (file.startsWith('test/house/')) continue
    t.strictSame(unmarked(readFileSync(join(ROOT, file), 'utf8')), [], `lines of ${file}`)
  }
})

t.test('a sleep that is not marked is found', async (t) => {
  const sleep = '  await setTimeout(100)'
  t.strictSame(unmarked(sleep), [1])
  t.strictSame(unmarked(`  // Until it has begun.\n${sleep}`), [2])
  t.strictSame(unmarked(`  // Time itself: how long a task takes,\n  // whatever it does.\n${sleep}`), [])
  t.strictSame(unmarked('Atomics.wait(words, 0, 0, 100)'), [1])
  t.strictSame(unmarked('Atomics.wait(words, 0, 0)'), [])
  t.strictSame(unmarked("import { setTimeout as rest } from 'node:timers/promises'"), [1])
})
