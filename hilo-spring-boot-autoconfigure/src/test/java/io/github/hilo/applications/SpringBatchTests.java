package io.github.hilo.applications;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Thorough;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.configuration.support.MapJobRegistry;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.launch.support.TaskExecutorJobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.repository.support.MongoJobRepositoryFactoryBean;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.item.Chunk;
import org.springframework.batch.infrastructure.item.ItemWriter;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;
import org.springframework.batch.infrastructure.support.transaction.ResourcelessTransactionManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.convert.MappingMongoConverter;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job that imports orders, with Spring Batch's job repository in MongoDB.
 */
@Thorough
class SpringBatchTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@Test
	void jobRepositoryKeepsItsIdsAndOnlyOrdersHaveACounter() {
		for (String sequence : new String[] { "JOB_INSTANCE", "JOB_EXECUTION", "STEP_EXECUTION" }) {
			this.database.collection("BATCH_SEQUENCES")
				.insertOne(new org.bson.Document("_id", "BATCH_" + sequence + "_SEQ").append("count", 0L));
		}
		this.database.contextRunner()
			.withUserConfiguration(Application.class)
			.run((context) -> assertThat(
					context.getBean(JobOperator.class).start(context.getBean(Job.class), new JobParameters()))
				.satisfies((execution) -> assertThat(execution.getStatus()).isEqualTo(BatchStatus.COMPLETED)));
		for (String collection : new String[] { "BATCH_JOB_INSTANCE", "BATCH_JOB_EXECUTION", "BATCH_STEP_EXECUTION" }) {
			assertThat(this.database.ids(collection)).singleElement().isInstanceOf(ObjectId.class);
		}
		assertThat(this.database.collection("BATCH_JOB_INSTANCE").find().first()).containsEntry("jobInstanceId", 1L);
		assertThat(this.database.ids("orders")).containsExactly("orders/1-A", "orders/2-A");
		assertThat(this.database.counters()).containsExactly("Raven/HiLo/orders");
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		/**
		 * The stand-in for MongoDB has no transactions.
		 */
		private final ResourcelessTransactionManager transactions = new ResourcelessTransactionManager();

		@Bean
		MongoJobRepositoryFactoryBean jobRepository(MongoTemplate template, MappingMongoConverter converter) {
			converter.setMapKeyDotReplacement("_");
			MongoJobRepositoryFactoryBean repository = new MongoJobRepositoryFactoryBean();
			repository.setMongoOperations(template);
			repository.setTransactionManager(this.transactions);
			return repository;
		}

		@Bean
		TaskExecutorJobOperator jobOperator(JobRepository repository) {
			TaskExecutorJobOperator operator = new TaskExecutorJobOperator();
			operator.setJobRepository(repository);
			operator.setJobRegistry(new MapJobRegistry());
			return operator;
		}

		@Bean
		ItemWriter<Order> orderWriter(MongoOperations template) {
			return (chunk) -> template.insert(chunk.getItems(), Order.class);
		}

		@Bean
		Job importOrders(JobRepository repository, ItemWriter<Order> orderWriter) {
			return new JobBuilder("import", repository)
				.start(new StepBuilder("orders", repository).tasklet((contribution, context) -> {
					orderWriter.write(Chunk.of(new Order(null, "Ada"), new Order(null, "Bob")));
					return RepeatStatus.FINISHED;
				}, this.transactions).build())
				.build();
		}

	}

	@Document("orders")
	record Order(@Id @Nullable String id, String customer) {
	}

}
