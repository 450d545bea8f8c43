/** Tests of Apache's unmodified REST and Thrift gateways on Cairn, with their clients. */
package dev.cairn.interop.gateway;
