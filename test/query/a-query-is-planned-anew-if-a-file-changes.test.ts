import t from 'tap'
import { planAnew } from '../../src/main/query/run/plan-anew.ts'
import { ServiceError } from '../../src/plan/errors.ts'

const NEVER = new AbortController().signal

const CHANGED = new ServiceError('file_changed', '"a" was changed while it was being queried; ask again.')

/** A run that ends with each of these in turn, and counts how often it was begun. */
function runs(...outcomes: readonly (string | Error)[]) {
  let begun = 0
  return {
    get begun() {
      return begun
    },
    run: async () => {
      const outcome = outcomes[begun++]
      if (outcome instanceof Error) throw outcome
      return outcome
    },
  }
}

t.test('its second answer is that of the files as they are then', async (t) => {
  const query = runs(CHANGED, 'rows')
  t.equal(await planAnew(query.run, NEVER), 'rows')
  t.equal(query.begun, 2)
})

t.test('a file that changes a few times delays it', async (t) => {
  const query = runs(CHANGED, CHANGED, CHANGED, 'rows')
  t.equal(await planAnew(query.run, NEVER), 'rows')
  t.equal(query.begun, 4)
})

t.test('a file that changes each time is an error', async (t) => {
  const query = runs(...Array.from({ length: 4 }, () => CHANGED), 'rows')
  await t.rejects(planAnew(query.run, NEVER), { code: 'file_changed' })
  t.equal(query.begun, 4)
})

t.test('a table of another service that changes is asked for once more', async (t) => {
  const refused = new ServiceError('table_changed', 'its columns have changed')
  const query = runs(refused, refused, 'rows')
  await t.rejects(planAnew(query.run, NEVER), { code: 'table_changed' })
  t.equal(query.begun, 2)
})

t.test('a query that is given up while it waits ends as its signal says', async (t) => {
  const giveUp = new AbortController()
  const query = runs(CHANGED, CHANGED, 'rows')
  const run = () => {
    if (query.begun === 1) setImmediate(() => giveUp.abort(new ServiceError('time_limit', 'too long')))
    return query.run()
  }
  await t.rejects(planAnew(run, giveUp.signal), { code: 'time_limit' })
  t.equal(query.begun, 2)
})

t.test('other queries run once', async (t) => {
  const done = runs('rows')
  t.equal(await planAnew(done.run, NEVER), 'rows')
  t.equal(done.begun, 1)
  const broken = runs(new ServiceError('unreadable_file', 'damaged'), 'rows')
  await t.rejects(planAnew(broken.run, NEVER), { code: 'unreadable_file' })
  t.equal(broken.begun, 1)
  const hangUp = new AbortController()
  hangUp.abort()
  const gone = runs(CHANGED, 'rows')
  await t.rejects(planAnew(gone.run, hangUp.signal), { code: 'file_changed' })
  t.equal(gone.begun, 1)
})
