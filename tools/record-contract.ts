import { meaningOf, readDocuments, writeRecording } from './contract-meaning.ts'

// npm run record-contract: after a change of the contract that is meant. Commit the recording with the change.
writeRecording(meaningOf(Object.values(readDocuments())))
