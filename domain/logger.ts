// What any part may say to the log of its process; it asks for the levels that it uses. Nobody writes a secret there.

type Write = (details: object, message: string) => void;

export interface Logger {
  info: Write;
  warn: Write;
  error: Write;
}
