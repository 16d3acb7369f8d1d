import { BASE_PATH } from '../../kit/environment.ts'

export const PAGES_PATH = `${BASE_PATH}/console`
export const API_PATH = `${BASE_PATH}/console/api`
