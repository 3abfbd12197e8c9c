import t from 'tap'
import { createBudget } from '../../src/main/query/run/rows/budget.ts'

t.test('what a query holds is there for the others when it has ended', async (t) => {
  const budget = createBudget(100)
  const [first, second] = [budget.open(), budget.open()]
  first.set(70)
  second.set(30)
  t.throws(() => second.set(31), { code: 'overloaded' })
  first.set(60)
  second.set(40)
  first.close()
  t.doesNotThrow(() => first.set(50), 'of a query that has ended nothing counts any more')
  second.set(100)
  t.throws(() => budget.open().set(1), { code: 'overloaded' })
})
