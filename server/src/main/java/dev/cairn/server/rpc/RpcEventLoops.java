package dev.cairn.server.rpc;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.EventExecutor;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The network threads of one process and the memory that they read into: shared by its servers and
 * clients, closed after them. Thread-safe.
 *
 * <p>On Linux the threads use Netty's {@code epoll} library: a server answers a sixth more gets per
 * second with it than with the JDK's selectors. They use the selectors where the library does not
 * load (another processor, a {@code /tmp} mounted with {@code noexec}).
 */
public final class RpcEventLoops implements AutoCloseable {
  private static final int PAGE_SIZE = 8192;
  private static final int MAX_ORDER = 7; // chunks of 1 MiB: an idle server holds one or two
  private static final int SMALL_CACHE = 256;
  private static final int NORMAL_CACHE = 64;

  private final boolean epoll;
  private final EventLoopGroup group;
  private final PooledByteBufAllocator allocator;
  private final Map<EventExecutor, EventLoopBudget> budgets =
      new IdentityHashMap<>(); // not changed

  /**
   * Creates the loops; their threads start with the first connection.
   *
   * @param threads how many; one serves some ten thousand requests per second and more
   */
  public RpcEventLoops(int threads, ThreadFactory threadFactory) {
    this.epoll = Epoll.isAvailable();
    this.group =
        epoll
            ? new EpollEventLoopGroup(threads, threadFactory)
            : new NioEventLoopGroup(threads, threadFactory);
    this.allocator =
        new PooledByteBufAllocator(
            true, 0, threads, PAGE_SIZE, MAX_ORDER, SMALL_CACHE, NORMAL_CACHE, false);
    group.forEach(loop -> budgets.put(loop, new EventLoopBudget(loop)));
  }

  public EventLoopGroup group() {
    return group;
  }

  /** Returns the class of server sockets for these threads. */
  Class<? extends ServerSocketChannel> serverChannel() {
    return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  /** Returns the class of client sockets for these threads. */
  public Class<? extends SocketChannel> clientChannel() {
    return epoll ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  public PooledByteBufAllocator allocator() {
    return allocator;
  }

  /** Returns the budget of one of the network threads, for use on that thread. */
  EventLoopBudget budget(EventLoop loop) {
    return budgets.get(loop);
  }

  /** Ends the threads, and with them every connection that is still open. */
  @Override
  public void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
  }
}
