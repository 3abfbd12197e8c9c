import t from 'tap'
import { walkWorld } from './walked.ts'

t.test('where rules have an effect, under a base path', (t) => walkWorld(t, 'with rules', true))
