import { RecordBatchStreamWriter, tableFromArrays } from 'apache-arrow'
import t from 'tap'
import { type Answer, answerOf, difference, rowCount } from '../../bench/compare/answer.ts'
import { answerOfStream } from '../../bench/compare/arrow.ts'
import { native } from '../../bench/compare/native.ts'

const named = (names: readonly string[], rows: readonly (readonly unknown[])[]): Answer => ({
  ...answerOf(rows),
  names,
})

t.test('a multiset: any order, exact bits', async (t) => {
  const expected = answerOf([
    [1n, 'a', 0.5],
    [2n, 'b', null],
    [2n, 'b', null],
  ])
  t.equal(
    difference(
      expected,
      answerOf([
        [2n, 'b', null],
        [1n, 'a', 0.5],
        [2n, 'b', null],
      ]),
      'multiset',
    ),
    null,
  )
  t.match(
    difference(
      expected,
      answerOf([
        [2n, 'b', null],
        [1n, 'a', 0.5],
        [1n, 'a', 0.5],
      ]),
      'multiset',
    ),
    /rows/,
  )
  t.match(
    difference(
      expected,
      answerOf([
        [2n, 'b', null],
        [1n, 'a', 0.5],
      ]),
      'multiset',
    ),
    /2 rows/,
  )
  t.match(difference(answerOf([[0.1 + 0.2]]), answerOf([[0.3]]), 'multiset'), /rows/)
  t.match(difference(answerOf([[1n]]), answerOf([[1]]), 'multiset'), /rows/, 'an integer is not a float')
})

t.test('ordered: the same places, computed floats within 1e-9 of each other', async (t) => {
  const expected = answerOf([
    ['a', 0.1 + 0.2],
    ['b', null],
  ])
  t.equal(
    difference(
      expected,
      answerOf([
        ['a', 0.3],
        ['b', null],
      ]),
      'ordered',
    ),
    null,
  )
  t.match(
    difference(
      expected,
      answerOf([
        ['b', null],
        ['a', 0.3],
      ]),
      'ordered',
    ),
    /row 0/,
  )
  t.match(
    difference(
      expected,
      answerOf([
        ['a', 0.3000001],
        ['b', null],
      ]),
      'ordered',
    ),
    /row 0/,
  )
  t.match(
    difference(
      expected,
      answerOf([
        ['a', 0.3],
        ['b', 0],
      ]),
      'ordered',
    ),
    /row 1/,
  )
  t.match(difference(expected, answerOf([['a', 0.3]]), 'ordered'), /1 rows/)
})

t.test('top: equal keys may change places, and at the end be other rows', async (t) => {
  const expected = answerOf([
    [9n, 'a'],
    [8n, 'b'],
    [8n, 'c'],
    [7n, 'd'],
  ])
  t.equal(
    difference(
      expected,
      answerOf([
        [9n, 'a'],
        [8n, 'c'],
        [8n, 'b'],
        [7n, 'e'],
      ]),
      'top',
    ),
    null,
  )
  t.match(
    difference(
      expected,
      answerOf([
        [9n, 'a'],
        [8n, 'c'],
        [8n, 'x'],
        [7n, 'd'],
      ]),
      'top',
    ),
    /rows/,
  )
  t.match(
    difference(
      expected,
      answerOf([
        [8n, 'b'],
        [9n, 'a'],
        [8n, 'c'],
        [7n, 'd'],
      ]),
      'top',
    ),
    /row 0/,
  )
  t.match(
    difference(
      expected,
      answerOf([
        [9n, 'a'],
        [8n, 'b'],
        [8n, 'c'],
      ]),
      'top',
    ),
    /3 rows/,
  )
})

t.test('other names are another answer', async (t) => {
  t.match(difference(named(['n'], [[1n]]), named(['count_star()'], [[1n]]), 'ordered'), /columns/)
})

t.test('an answer of native DuckDB and the same as an Arrow stream agree', async (t) => {
  const duckdb = await native(1)
  t.teardown(() => duckdb.close())
  const expected = await duckdb.answer(
    `SELECT * FROM (VALUES (1::BIGINT, 1.5::DOUBLE, 'a'), (2, NULL, 'b')) v(time, value, name)`,
  )
  const columns = { time: BigInt64Array.of(2n, 1n), value: [null, 1.5], name: ['b', 'a'] }
  const stream = RecordBatchStreamWriter.writeAll(tableFromArrays(columns)).toUint8Array(true)
  t.equal(difference(expected, answerOfStream(stream), 'multiset'), null)
  t.equal(rowCount(expected), 2)
  await duckdb.renew()
  t.equal(rowCount(await duckdb.answer('SELECT 1')), 1)
})
