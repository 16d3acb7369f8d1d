// An operator's wish that cannot be granted, with the sentence that says why.
export class Refused extends Error {}
