import t from 'tap'
import { bbf } from '../../src/workers/formats/bbf/bbf.ts'
import { conformance } from '../formats/conformance.ts'
import { conformanceSamples } from './samples.ts'

t.testdir({})
t.test('files of the reference writer', (t) =>
  conformance(t, {
    provider: bbf,
    samples: conformanceSamples(t.testdir({})),
    damages: 96,
    areRowsCounted: false,
  }),
)
