// A message's words. `#{…}` is a variable.
export interface MessageText {
  title: string
  // Everything but the title, which a text message has as its subject.
  body: string
}

// By the time of a reminder the days for it are long over.
export function withoutCancelling(body: string): string {
  return body.replace(/^- .*#\{취소일수\}.*\n/m, '')
}
