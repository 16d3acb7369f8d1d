import { answerJobs } from '../children.ts'
import { runLoad } from './run.ts'

// A process of its own, so that sending takes no time from the server's event loop.
answerJobs(runLoad)
