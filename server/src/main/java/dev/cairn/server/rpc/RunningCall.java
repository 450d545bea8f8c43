package dev.cairn.server.rpc;

/**
 * A call that a handler is answering.
 *
 * @param service the service's name, for example {@code ClientService}
 * @param method the method's name, for example {@code Scan}
 * @param user the user's name, as the client gives it
 * @param client the client's address and port
 * @param id the call's number; the client gives each of its connections' calls another one
 * @param requestBytes the length of the request
 * @param ageMillis how long ago the request was received
 * @param canEnd whether {@link RpcServer#endCall} can stop its work
 */
public record RunningCall(
    String service,
    String method,
    String user,
    String client,
    int id,
    long requestBytes,
    long ageMillis,
    boolean canEnd) {}
