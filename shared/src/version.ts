// Shared by client and server: the version that outputs and the handshake name. A test holds it against package.json.

export const VERSION = "0.1.0";
