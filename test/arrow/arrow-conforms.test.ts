import t from 'tap'
import { arrow } from '../../src/workers/formats/arrow/arrow.ts'
import { conformance } from '../formats/conformance.ts'
import { samples } from '../formats/fixtures.ts'

t.test('files and streams', (t) =>
  conformance(t, { provider: arrow, samples: samples('arrow'), damages: 96 }),
)
