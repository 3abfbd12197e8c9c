import t from 'tap'
import { withRefusals } from '../../src/main/dispatch/refusals.ts'
import { ServiceError } from '../../src/plan/errors.ts'
import { NO_UNITS } from '../../src/plan/source/unit-space.ts'
import { packScan } from '../../src/plan/statement/packed-scan.ts'
import type { OpenScan } from '../../src/plan/statement/statement.ts'
import { runToEnd } from '../../src/plan/steps.ts'
import type { CoreTask, ScanTask, SqlTask } from '../../src/plan/task/task.ts'
import { PARQUET } from '../formats/product.ts'
import { fakePool } from './pool.ts'
import { taskFor } from './tasks.ts'

t.test('a task that opens one is refused before it waits for its turn', async (t) => {
  const refused = new Set<string>()
  const pool = withRefusals(fakePool(t, 1), (location) =>
    refused.has(location) ? new ServiceError('path_unavailable', location) : null,
  )
  const ticket = pool.admit()
  t.equal(pool.active, 1)
  const scan = (location: string, ...more: readonly string[]): ScanTask => {
    const task = taskFor('ok', ticket.cancel)
    const fileAt = (at: string) => ({ ...task.file, location: at })
    return {
      ...task,
      file: fileAt(location),
      more: more.map((at) => ({ file: fileAt(at), unit: task.unit })),
    }
  }
  const { file, scan: spec } = scan('/bad')
  const open: OpenScan = { scan: spec, files: [file], units: NO_UNITS, rowsOf: null }
  const tasks: readonly CoreTask[] = [
    scan('/bad'),
    scan('/good', '/good', '/bad'),
    {
      kind: 'inspect',
      format: PARQUET,
      files: [{ ...file, location: '/good' }, file],
      statistics: [],
      columns: [],
      areMany: false,
      caching: true,
      cancel: ticket.cancel,
    },
  ]
  const statement: SqlTask = {
    kind: 'sql_open',
    key: 'a',
    scans: [runToEnd(packScan(open))],
    assistance: null,
    encoding: 'arrow',
    answerBytes: 1,
    caching: true,
    cancel: ticket.cancel,
  }
  const own = { began: () => 1000, ended() {}, mayBeginAgain: () => false }
  await t.resolves(ticket.run(scan('/bad')))
  refused.add('/bad')
  for (const task of tasks) await t.rejects(ticket.run(task), { code: 'path_unavailable' }, task.kind)
  await t.rejects(ticket.runStatement(statement, { engine: 0, statement: own }), { code: 'path_unavailable' })
  await t.resolves(ticket.run(scan('/good', '/good')))
  refused.clear()
  await t.resolves(ticket.run(scan('/bad')))
  ticket.release()
  t.equal(pool.active, 0)
})
