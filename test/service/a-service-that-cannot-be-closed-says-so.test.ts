import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { closeAll } from '../../src/main/stop.ts'

const CLOSING = join(import.meta.dirname, 'closing.ts')

/** Sends signals, each when the one before is heard of. The exit code and signal, lines of the log, what else was written. */
async function stopped(t: Test, how: string, signals: readonly NodeJS.Signals[]) {
  const child = spawn(process.execPath, [CLOSING, how], { stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  const errors = text(child.stderr)
  const left = [...signals]
  const log: { msg: string; level: number; err?: { message: string } }[] = []
  for await (const line of createInterface(child.stdout)) {
    log.push(JSON.parse(line))
    const signal = left.shift()
    if (signal !== undefined) child.kill(signal)
  }
  return { exit: await exit, log, errors: await errors }
}

t.test('one that closes ends by itself', async (t) => {
  const { exit, log, errors } = await stopped(t, 'well', ['SIGTERM'])
  t.same(exit, [0, null])
  t.same(
    log.map(({ msg }) => msg),
    ['ready', 'stopping', 'stopped'],
  )
  t.equal(errors, '')
})

t.test('one that does not is logged, and ends with code 1', async (t) => {
  const { exit, log, errors } = await stopped(t, 'failing', ['SIGTERM'])
  t.same(exit, [1, null])
  t.match(log.at(-1), { level: 60, err: { message: 'the catalog is busy' } })
  t.equal(errors, '', 'nothing is left to Node to say')
})

t.test('a second signal, whichever, ends it at once', async (t) => {
  const { exit, log } = await stopped(t, 'never', ['SIGTERM', 'SIGINT'])
  t.same(exit, [null, 'SIGINT'])
  t.equal(log.filter(({ msg }) => msg === 'stopping').length, 1)
})

t.test('what can be closed is closed, whatever cannot', async (t) => {
  const closed: string[] = []
  const step = (name: string, fails: boolean) => async (): Promise<void> => {
    closed.push(name)
    if (fails) throw new Error(name)
  }
  await t.rejects(closeAll([step('a', true), step('b', false)]), { message: 'a' })
  await t.rejects(closeAll([step('c', true), step('d', true), step('e', false)]), {
    errors: [{ message: 'c' }, { message: 'd' }],
  })
  t.same(closed, ['a', 'b', 'c', 'd', 'e'])
})
