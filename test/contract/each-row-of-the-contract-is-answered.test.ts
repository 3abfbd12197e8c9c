import t from 'tap'
import { walkWorld } from './walked.ts'

t.test('where rules have no effect', (t) => walkWorld(t, 'without rules', true))
