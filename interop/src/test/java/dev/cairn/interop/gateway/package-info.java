/** Apache's unmodified REST and Thrift gateways on Cairn, and clients of theirs. */
package dev.cairn.interop.gateway;
