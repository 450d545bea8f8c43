package dev.cairn.server.http;

import dev.cairn.server.page.WebSender;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles one connection to the web server. Takes one request at a time, and lets a worker render
 * the page. Closes the connection if the client takes too long to send a request or to read a
 * response. Confined to the network thread.
 */
final class WebConnection extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(WebConnection.class);

  /** Lets pages load files of this server only, and run no inline script. */
  private static final String OWN_FILES_ONLY =
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self';"
          + " img-src 'self' data: blob:; form-action 'self'; base-uri 'none';"
          + " frame-ancestors 'none'";

  private static final String FORM = "application/x-www-form-urlencoded";

  private final StatusPages pages;
  private final Executor workers;
  private final WebLimits limits;
  private final WebConnections connections;
  private Future<?> deadline;

  WebConnection(StatusPages pages, Executor workers, WebLimits limits, WebConnections connections) {
    this.pages = pages;
    this.workers = workers;
    this.limits = limits;
    this.connections = connections;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    connections.opened(context.channel());
    closeAfter(limits.requestTime(), context);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    connections.closed(context.channel());
    deadline.cancel(false);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    connections.received(context.channel());
    context.channel().config().setAutoRead(false); // until this one is answered
    closeAfter(limits.answerTime(), context);
    boolean head = request.method().equals(HttpMethod.HEAD);
    boolean last = !HttpUtil.isKeepAlive(request) || !request.decoderResult().isSuccess();
    if (!request.decoderResult().isSuccess()) {
      write(context, WebResponse.text(400, "This is not a valid HTTP 1.1 request.\n"), head, last);
    } else if (request.method().equals(HttpMethod.POST)) {
      post(context, request, last);
    } else if (!head && !request.method().equals(HttpMethod.GET)) {
      write(context, WebResponse.text(405, "Only GET and HEAD are allowed.\n"), head, last);
    } else {
      WebRequest asked =
          WebRequest.of(request.uri(), request.headers().get(HttpHeaderNames.ACCEPT, ""));
      render(context, asked, () -> pages.answer(asked), head, last);
    }
  }

  /** Answers a request for an action, whose parameters are a form as browsers send it. */
  private void post(ChannelHandlerContext context, FullHttpRequest request, boolean last) {
    HttpHeaders headers = request.headers();
    String type = headers.get(HttpHeaderNames.CONTENT_TYPE, FORM).split(";", 2)[0].strip();
    if (!type.equalsIgnoreCase(FORM)) {
      write(context, WebResponse.text(415, "Send the parameters as " + FORM + ".\n"), false, last);
      return;
    }
    WebRequest asked =
        WebRequest.of(request.uri(), headers.get(HttpHeaderNames.ACCEPT, ""))
            .with(request.content().toString(StandardCharsets.UTF_8));
    WebSender sender =
        new WebSender(
            String.valueOf(context.channel().remoteAddress()),
            headers.get(HttpHeaderNames.HOST, ""),
            headers.get(HttpHeaderNames.ORIGIN, ""),
            headers.get("Sec-Fetch-Site", ""));
    render(context, asked, () -> pages.act(asked, sender), false, last);
  }

  /** Lets a worker answer a request. */
  private void render(
      ChannelHandlerContext context,
      WebRequest request,
      Supplier<WebResponse> page,
      boolean head,
      boolean last) {
    try {
      workers.execute(
          () -> {
            WebResponse answer = answer(request, page);
            context.executor().execute(() -> write(context, answer, head, last));
          });
    } catch (RejectedExecutionException e) {
      write(
          context,
          WebResponse.text(503, "Too many requests at once; try again later.\n"),
          head,
          last);
    }
  }

  private static WebResponse answer(WebRequest request, Supplier<WebResponse> page) {
    try {
      return page.get();
    } catch (RuntimeException e) {
      LOG.warn("The web page {} failed", request.path(), e);
      return WebResponse.text(500, "This page failed; the server's log says why.\n");
    }
  }

  private void write(
      ChannelHandlerContext context, WebResponse answer, boolean head, boolean last) {
    byte[] body = answer.bytes();
    if (answer.rest().hasNext()) {
      HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status(answer));
      addHeaders(response, answer, last);
      HttpUtil.setTransferEncodingChunked(response, true);
      context.write(response);
      if (head) {
        end(context, last, LastHttpContent.EMPTY_LAST_CONTENT);
      } else {
        writePart(context, body, answer.rest(), last);
      }
      return;
    }
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            status(answer),
            head ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body));
    addHeaders(response, answer, last);
    response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.length);
    end(context, last, response);
  }

  /** Writes a part of a body. Renders the next part after the client has taken this one. */
  private void writePart(
      ChannelHandlerContext context, byte[] part, Iterator<String> rest, boolean last) {
    context
        .writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(part)))
        .addListener(
            (ChannelFutureListener)
                written -> {
                  if (!written.isSuccess()) {
                    context.close();
                  } else if (!rest.hasNext()) {
                    end(context, last, LastHttpContent.EMPTY_LAST_CONTENT);
                  } else {
                    closeAfter(limits.answerTime(), context);
                    renderPart(context, rest, last);
                  }
                });
  }

  private void renderPart(ChannelHandlerContext context, Iterator<String> rest, boolean last) {
    try {
      workers.execute(
          () -> {
            try {
              byte[] part = rest.next().getBytes(StandardCharsets.UTF_8);
              context.executor().execute(() -> writePart(context, part, rest, last));
            } catch (RuntimeException e) {
              LOG.warn("Rendering a web page failed after its first part", e);
              context.close();
            }
          });
    } catch (RejectedExecutionException e) {
      context.close(); // the client sees that the page is incomplete
    }
  }

  /** Writes the end of an answer. Then the next request may come. */
  private void end(ChannelHandlerContext context, boolean last, HttpObject end) {
    context
        .writeAndFlush(end)
        .addListener(
            (ChannelFutureListener)
                written -> {
                  if (last || !written.isSuccess()) {
                    context.close();
                  } else {
                    connections.answered(context.channel());
                    closeAfter(limits.requestTime(), context);
                    context.channel().config().setAutoRead(true);
                  }
                });
  }

  private static HttpResponseStatus status(WebResponse answer) {
    return HttpResponseStatus.valueOf(answer.code());
  }

  private static void addHeaders(HttpResponse response, WebResponse answer, boolean last) {
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, contentType(answer))
        .set(HttpHeaderNames.CACHE_CONTROL, answer.caching())
        .set("X-Content-Type-Options", "nosniff")
        .set("Referrer-Policy", "no-referrer")
        .set("Content-Security-Policy", OWN_FILES_ONLY)
        .set(HttpHeaderNames.X_FRAME_OPTIONS, "DENY");
    if (answer.code() == 405) {
      response.headers().set(HttpHeaderNames.ALLOW, "GET, HEAD");
    }
    HttpUtil.setKeepAlive(response, !last);
  }

  private static String contentType(WebResponse answer) {
    return answer.type().startsWith("image/png")
        ? answer.type()
        : answer.type() + "; charset=utf-8";
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("A connection to the web page ends", cause);
    context.close();
  }

  private void closeAfter(Duration time, ChannelHandlerContext context) {
    if (deadline != null) {
      deadline.cancel(false);
    }
    deadline =
        context.executor().schedule(() -> context.close(), time.toMillis(), TimeUnit.MILLISECONDS);
  }
}
