import t from 'tap'
import { applyChanges } from '../../src/main/auth/directory/directory.ts'
import { EVERYTHING, rightsOf } from '../../src/main/auth/rights/rights.ts'
import { errorBelow } from '../../src/main/query/source/named/refusals.ts'
import { ERRORS, type ErrorCode, ServiceError } from '../../src/plan/errors.ts'
import { EMPTY_DIRECTORY } from '../support/empty-directory.ts'

const RULES = rightsOf(applyChanges(EMPTY_DIRECTORY, []), [], true)

t.test('errors that name what is not there, or may not be read, or does not answer', async (t) => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const error = new ServiceError(code, 'secret/a.csv', { at: 7, about: 'secret/a.csv' })
    t.equal(errorBelow('v', EVERYTHING, error), error, 'whoever may read everything is told')
    t.equal(errorBelow(null, RULES, error), error, 'what the query itself names is no secret')
    const told = errorBelow('v', RULES, error)
    if (['permission_denied', 'unknown_table', 'path_unavailable'].includes(code)) {
      t.notMatch(told, { message: /secret/ }, code)
      t.match(told, { message: /"v"/, at: undefined, about: undefined }, code)
    } else t.equal(told, error, 'an error in what may be read')
  }
  const fault = new TypeError('a fault')
  t.equal(errorBelow('v', RULES, fault), fault)
})
