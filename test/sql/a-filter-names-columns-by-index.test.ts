import t from 'tap'
import { filterText } from '../../src/workers/sql/binding/marked-columns.ts'

const MARK = 7_218_650_933
const marked = (name: string, mark = MARK) => `[${mark}:${name}:${mark}]`

t.test('a marked column becomes its index, whatever its name', async (t) => {
  const names = ['depth', 'TEMP (C)', 'a AND b', "it's", 'x:]', 'a\nb', '']
  for (const [index, name] of names.entries()) {
    t.same(filterText(`((${marked(name)} > 3) AND (${marked('depth')} IS NULL))`, MARK, names), [
      '((',
      index,
      ' > 3) AND (',
      0,
      ' IS NULL))',
    ])
  }
  t.same(filterText(marked('depth'), MARK, names), [0])
})

t.test('a name that is not marked stays a text', async (t) => {
  const text = `((CAST(depth AS DOUBLE) > 0.5) AND (${marked('depth', 7)} > 1))`
  t.same(filterText(text, MARK, ['depth']), [text])
})

t.test('what is not certain is no text', async (t) => {
  t.equal(filterText(`(${marked('pressure')} > 3)`, MARK, ['depth']), null)
  t.equal(filterText([`(${marked('s')} = 'a`, "b')"], MARK, ['s']), null)
})
