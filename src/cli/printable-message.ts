const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** A message that may hold names of files: what a terminal would obey in them is shown as U+FFFD. */
export function printableMessage(message: string): string {
  return message.replace(CONTROL, "\ufffd")
}
