package io.github.hilo.processes;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import java.util.function.IntFunction;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.autoconfigure.HiLoAutoConfiguration;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import reactor.blockhound.BlockHound;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoReactiveAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoReactiveAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;

/**
 * An application that takes ids on event loops only, under the eyes of BlockHound, closes
 * its context and ends when its threads let it.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ MongoAutoConfiguration.class, MongoReactiveAutoConfiguration.class,
		DataMongoAutoConfiguration.class, DataMongoReactiveAutoConfiguration.class, HiLoAutoConfiguration.class })
class ReactiveProcess {

	/**
	 * Lets the process take an id in a way that blocks an event loop.
	 */
	static final String BLOCK_ARGUMENT = "--block";

	/**
	 * What precedes the numbers of saves and of numbers that nobody got twice.
	 */
	static final String DONE = "done ";

	/**
	 * How a process ends in which an event loop was blocked.
	 */
	static final int EXIT_BLOCKED = 5;

	static final int COUNT = 2000;

	private static final List<String> NEUTRAL = List.of("java.", "jdk.", "sun.", "reactor.blockhound.",
			ReactiveProcess.class.getName());

	private static final List<String> THEIRS = List.of("org.springframework.data.", "com.mongodb.");

	private static final int CONCURRENCY = 64;

	private static final Duration PATIENCE = Duration.ofSeconds(40);

	/**
	 * Starts the application.
	 * @param args its properties
	 */
	public static void main(String[] args) {
		// JDK 25 starts its timer at the first timeout, and may spin once for that.
		BlockHound
			.install((builder) -> builder.allowBlockingCallsInside(ForkJoinPool.class.getName(), "startDelayScheduler")
				.blockingMethodCallback((method) -> exitIfNotTheirs(method.toString())));
		SpringApplication application = new SpringApplication(ReactiveProcess.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		try (ConfigurableApplicationContext context = application.run(args)) {
			if (List.of(args).contains(BLOCK_ARGUMENT)) {
				HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
				// The first one, which resolves the database, is refused by Reactor
				// itself.
				generator.nextId("orders");
				Mono.fromCallable(() -> generator.nextId("orders")).subscribeOn(Schedulers.parallel()).block(PATIENCE);
			}
			work(context.getBean(ReactiveMongoTemplate.class), context.getBean(ReactiveHiLoIdGenerator.class));
		}
	}

	private static void work(ReactiveMongoTemplate template, ReactiveHiLoIdGenerator generator) {
		long saved = onEventLoops(
				(i) -> template.insert(new InsertingProcess.Order(null)).map(InsertingProcess.Order::id));
		long issued = onEventLoops((i) -> generator.nextId("numbers"));
		onEventLoops((i) -> generator.nextDocumentId("cold-" + i % CONCURRENCY));
		onEventLoops((i) -> generator.nextId("left")
			.timeout(Duration.ofNanos(100_000L * (i % 10)), Mono.empty(), Schedulers.parallel()));
		onEventLoops((i) -> (i % 10 != 0) ? generator.nextId("returned") : generator.release().then(Mono.empty()));
		onEventLoops((i) -> generator.nextDocumentIds("blocks", 1 + i % 7));
		onEventLoops((i) -> generator.nextIds("blocks", 1 + i % 7)
			.timeout(Duration.ofNanos(100_000L * (i % 10)), Mono.empty(), Schedulers.parallel()));
		onEventLoops((i) -> generator.ensureAtLeast("raised-" + i % CONCURRENCY, 1 + i));
		System.out.println(DONE + saved + " " + issued);
	}

	/**
	 * Ends the process, unless it is Spring Data or the driver that blocks an event loop:
	 * both have locks that they take on every save, with ids of ours or without.
	 */
	private static void exitIfNotTheirs(String method) {
		IllegalStateException blocked = new IllegalStateException(Thread.currentThread() + " calls " + method);
		String culprit = Stream.of(blocked.getStackTrace())
			.map(StackTraceElement::getClassName)
			.filter((type) -> NEUTRAL.stream().noneMatch(type::startsWith))
			.findFirst()
			.orElse("");
		if (THEIRS.stream().noneMatch(culprit::startsWith)) {
			blocked.printStackTrace(System.out);
			System.out.flush();
			Runtime.getRuntime().halt(EXIT_BLOCKED);
		}
	}

	/**
	 * Does something so many times, a lot of it at once.
	 * @return how many distinct answers there were
	 */
	private static <T> long onEventLoops(IntFunction<Mono<? extends T>> step) {
		return Objects.requireNonNull(Flux.range(0, COUNT)
			.flatMap((i) -> Mono.defer(() -> step.apply(i)).subscribeOn(Schedulers.parallel()), CONCURRENCY)
			.distinct()
			.count()
			.block(PATIENCE));
	}

}
