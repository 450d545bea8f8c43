/**
 * What a client that errs, or means harm, gets: messages that no library sends, by a connection
 * that writes the protocol byte by byte. Each is answered, with an error of a class that HBase's
 * clients know where it makes no sense, and nothing of it is half done. What comes out is held
 * against a real HBase where that is possible.
 */
package dev.cairn.interop.hostile;
